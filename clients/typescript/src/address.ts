import { Code, ConnectError } from "@connectrpc/connect";
import { SheduError } from "./errors.js";

/** Throws unless the address is one that fetch takes: http://, https://, or a path of the page's own server. */
export function checkAddress(address: string): void {
  if (/^https?:\/\/[^/@\s]+/i.test(address) || address.startsWith("/")) return;
  const shown = address.includes("@") ? "this" : address; // what stands before it may be a password
  const problem = `${shown} is not the address of a server, such as http://localhost:8080 or https://play.example.org`;
  throw new SheduError(new ConnectError(problem, Code.InvalidArgument));
}
