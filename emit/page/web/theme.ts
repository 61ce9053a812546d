import { Choice } from "./element.js";
import { remember, remembered } from "./remembered.js";

// A theme is dark, light, or the system's. The root element has the current one as data-theme, for the style sheet and
// the canvases.

export type Theme = "system" | "light" | "dark";

export class ThemeSwitch {
  readonly root: HTMLElement;
  private theme: Theme;
  private printing = false;
  private readonly systemDark = matchMedia("(prefers-color-scheme: dark)");

  constructor(private readonly changed: () => void) {
    this.theme = themeOf(remembered("theme"));
    const choice = new Choice<Theme>(
      "Theme",
      [
        ["system", "System"],
        ["light", "Light"],
        ["dark", "Dark"],
      ],
      this.theme,
      (theme) => this.set(theme),
    );
    this.root = choice.root;
    this.root.classList.add("themes");
    this.systemDark.addEventListener("change", () => this.put());
    document.documentElement.dataset.theme = this.inForce();
  }

  // print makes the page light, whatever its theme, while it is printed.
  print(printing: boolean): void {
    this.printing = printing;
    this.put();
  }

  private set(theme: Theme): void {
    this.theme = theme;
    remember("theme", theme);
    this.put();
  }

  private put(): void {
    document.documentElement.dataset.theme = this.inForce();
    this.changed();
  }

  private inForce(): "light" | "dark" {
    if (this.printing) return "light";
    if (this.theme !== "system") return this.theme;
    return this.systemDark.matches ? "dark" : "light";
  }
}

function themeOf(text: string | null): Theme {
  return text === "light" || text === "dark" ? text : "system";
}
