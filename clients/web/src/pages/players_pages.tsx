export { AccountPage } from "./account";
export { LeaderboardPage } from "./leaderboard";
export { PlayPage } from "./play";
export { PlayerPage } from "./player";
