// An author's verdict on a release stands beside the one read from its notes: it may raise it and never lowers it.
import { BREAKING, type Breaking } from '../contract/enums.ts';

export function isRaisedBy(stated: Breaking | undefined, read: Breaking): stated is Breaking {
  return stated !== undefined && BREAKING.indexOf(stated) > BREAKING.indexOf(read) && stated !== 'none';
}
