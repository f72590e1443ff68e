// Whether an address may be stored as one that is fetched later, as far as that can be told without a name lookup.
import { isMetadataAddress, isPublicAddress } from './addresses.ts';
import { type HostList, listsAddress, listsName } from './host-list.ts';
import { type RefusalReason, readTarget, targetRefusal } from './target.ts';

// `allow` are the hosts that the operator admits although they are private.
export function storedAddressRefusal(url: string, allow: HostList): RefusalReason | null {
  const target = readTarget(url);
  if (target === null) return 'invalid_url';
  const { host, port, literal } = target;
  const admitted = literal ? listsAddress(allow, host, port) : listsName(allow, host, port);
  const refusal = targetRefusal(target, { rules: {}, own: [], admitted });
  if (refusal !== null || !literal) return refusal;
  return isMetadataAddress(host) || !(admitted || isPublicAddress(host)) ? 'private_address' : null;
}
