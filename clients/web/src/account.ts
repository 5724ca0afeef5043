import { readStored, removeStored, writeStored } from "./browser_storage";
import { createStore } from "./store";

/** The player of this browser on a server with identities: an API key or a JWT, and the public handle. */
export interface Account {
  key: string;
  handle: string;
}

export const account = createStore<Account | undefined>(readStored<Account | undefined>("account", undefined));

/** Whether the server refused a call because this browser has no account. */
export const needsAccount = createStore(false);

export function storeAccount(found: Account): void {
  writeStored("account", found);
  account.set(found);
  needsAccount.set(false);
}

export function removeAccount(): void {
  removeStored("account");
  account.set(undefined);
}
