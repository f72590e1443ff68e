// Row types of accounts: who they are, how they prove it, and what they follow.

export interface AccountTables {
  users: UserRow;
  follows: FollowRow;
  feed_tokens: FeedTokenRow;
}

export interface UserRow {
  id: string;
  name: string;
  email: string;
  email_verified: number;
  image: string | null;
  created_at: string;
  updated_at: string;
  disabled_at: string | null;
}

export interface FollowRow {
  user_id: string;
  target_type: string;
  target_id: string;
  created_at: string;
}

// The secret is kept encrypted, because its owner may read the address again.
export interface FeedTokenRow {
  user_id: string;
  lookup_id: string;
  secret: string;
  created_at: string;
  last_used_at: string | null;
}
