import { element } from "./element.js";

export interface Tab {
  id: string;
  label: string;
  panel: HTMLElement;
}

// Tabs are a list of tabs and their panels. Only the current tab is in the focus order; arrow keys, Home and End lead
// to the others.
export class Tabs {
  readonly list: HTMLElement;
  private readonly buttons: HTMLButtonElement[];
  private at = 0;

  constructor(label: string, private readonly tabs: readonly Tab[], private readonly shown: (id: string) => void) {
    this.buttons = tabs.map((tab, i) => this.button(tab, i));
    this.list = element("div", { role: "tablist", "aria-label": label, class: "tabs" }, ...this.buttons);
    this.list.addEventListener("keydown", (event) => this.key(event));
    for (const tab of tabs) {
      tab.panel.id = `panel-${tab.id}`;
      tab.panel.setAttribute("role", "tabpanel");
      tab.panel.setAttribute("aria-labelledby", `tab-${tab.id}`);
    }
  }

  get shownTab(): string {
    return this.tabs[this.at].id;
  }

  // show goes to a tab; to the first one if the id is unknown.
  show(id: string): void {
    this.go(Math.max(0, this.tabs.findIndex((tab) => tab.id === id)), false);
  }

  // showNumber shows the n-th tab, counted from 0, and focuses it.
  showNumber(n: number): void {
    if (n >= 0 && n < this.tabs.length) this.go(n, true);
  }

  private button(tab: Tab, i: number): HTMLButtonElement {
    const made = element(
      "button",
      {
        type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}`,
        title: `${tab.label} (key ${i + 1})`,
      },
      tab.label,
    );
    made.addEventListener("click", () => this.go(i, false));
    return made;
  }

  private key(event: KeyboardEvent): void {
    const last = this.tabs.length - 1;
    const to = {
      ArrowRight: this.at === last ? 0 : this.at + 1, ArrowLeft: this.at === 0 ? last : this.at - 1, Home: 0, End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to, true);
  }

  private go(to: number, focus: boolean): void {
    this.at = to;
    this.tabs.forEach((tab, i) => {
      tab.panel.hidden = i !== to;
      this.buttons[i].setAttribute("aria-selected", String(i === to));
      this.buttons[i].tabIndex = i === to ? 0 : -1;
    });
    if (focus) this.buttons[to].focus();
    this.shown(this.tabs[to].id);
  }
}
