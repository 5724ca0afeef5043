import { render } from "preact";
import { App } from "./app";
import { installServiceWorker } from "./notifications";
import { preferences, showTheme } from "./preferences";
import { loadLanguage } from "./translation";
import "./style/main.css";

showTheme();
preferences.subscribe(showTheme);
const place = document.getElementById("app");
if (place) void loadLanguage().then(() => render(<App />, place));
installServiceWorker();
