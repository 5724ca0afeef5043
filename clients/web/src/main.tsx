import { render } from "preact";
import { App } from "./app";
import { preferences, showTheme } from "./preferences";
import { speak } from "./say";
import "./style/main.css";

showTheme();
preferences.subscribe(showTheme);
const place = document.getElementById("app");
if (place) void speak().then(() => render(<App />, place));
