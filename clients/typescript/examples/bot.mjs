// A bot that takes the action in the middle. It plays all games it is invited to, SHEDU_GAMES in all.
import { runProgram } from "@shedu/client/bots";

const decide = ({ actions }) => actions[Math.floor(actions.length / 2)];

await runProgram({ name: "middle", decide }); // at SHEDU_URL, with the key in SHEDU_TOKEN
