package shedu.client;

import shedu.v1.InboxItem;

/**
 * Something that wants the caller's attention.
 *
 * @param item what it is: a decision, an invitation, a started or finished game, or a proposal
 * @param cursor where to resume after it, perhaps in another process
 */
public record InboxUpdate(InboxItem item, String cursor) {}
