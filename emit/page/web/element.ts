// Elements are built here and nowhere else: names of a trace reach the document as text only.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined>;

// element makes an element. An attribute that is false or undefined is left out; one that is true is there without a value.
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  assign(made, attributes);
  append(made, children);
  return made;
}

// drawing makes an element of an SVG picture.
export function drawing<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(made, attributes);
  append(made, children);
  return made;
}

// named is text from a trace: isolated, so that its direction turns nothing around it; where it is cut off, the tooltip has more of it.
export function named(text: string, className = "name"): HTMLElement {
  return element("bdi", { class: className, dir: "auto", title: tooltip(text) }, text);
}

// tooltip is text short enough for a title attribute.
export function tooltip(text: string): string {
  return text.length <= 600 ? text : text.slice(0, 600) + "…";
}

// button is a button with a text, and what it does.
export function button(label: string, act: (event: MouseEvent) => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

// toggleButton is a button that is pressed or not.
export function toggleButton(label: string, act: (on: boolean) => void): HTMLButtonElement {
  const made = button(label, () => {
    const on = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(on));
    act(on);
  }, { "aria-pressed": "false", class: "timeline-toggle" });
  return made;
}

// checkbox is a labelled checkbox.
export function checkbox(label: string, checked: boolean, act: (checked: boolean) => void, attributes: Attributes = {}): { root: HTMLLabelElement; input: HTMLInputElement } {
  const input = element("input", { type: "checkbox", ...attributes });
  input.checked = checked;
  input.addEventListener("change", () => act(input.checked));
  return { root: element("label", { class: "check" }, input, element("span", {}, label)), input };
}

// choice is a row of buttons of which one is pressed: a radio group.
export class Choice<Value extends string> {
  readonly root: HTMLElement;
  private readonly inputs = new Map<Value, HTMLInputElement>();
  private static made = 0;

  constructor(label: string, options: readonly (readonly [Value, string])[], chosen: Value, act: (value: Value) => void) {
    const group = `choice-${++Choice.made}`;
    this.root = element("fieldset", { class: "choice" }, element("legend", { class: "unseen" }, label));
    for (const [value, text] of options) {
      const input = element("input", { type: "radio", name: group, value, class: "unseen" });
      input.checked = value === chosen;
      input.addEventListener("change", () => act(value));
      this.inputs.set(value, input);
      this.root.append(element("label", {}, input, element("span", {}, text)));
    }
  }

  set(value: Value): void {
    const input = this.inputs.get(value);
    if (input) input.checked = true;
  }
}

// replace gives an element other children.
export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) parent.append(typeof child === "number" ? String(child) : child);
  }
}

function assign(made: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
}
