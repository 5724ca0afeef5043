// A bot that fails in every decision.
import { runProgram } from "@shedu/client/bots";

function think() {
  throw new Error("a fault of the bot");
}

await runProgram({ name: "broken", decide: () => think() });
