// All elements are made here, so that names from a trace reach the document only as text.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined>;

// element makes an element. A false or undefined attribute is left out, a true one has no value.
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  assign(made, attributes);
  append(made, children);
  return made;
}

// drawing makes an element of an SVG picture.
export function drawing<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(made, attributes);
  append(made, children);
  return made;
}

// named makes an element with a text from a trace. Its writing direction is isolated, and the tooltip shows more of it.
export function named(text: string, className = "name"): HTMLElement {
  return element("bdi", { class: className, dir: "auto", title: tooltip(text) }, text);
}

// tooltip clips a text for a title attribute.
export function tooltip(text: string): string {
  return text.length <= 600 ? text : text.slice(0, 600) + "…";
}

// button makes a button with a text and an action.
export function button(
  label: string,
  act: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

// toggleButton makes a button that stays pressed until the next click.
export function toggleButton(label: string, act: (on: boolean) => void): HTMLButtonElement {
  const made = button(label, () => {
    const on = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(on));
    act(on);
  }, { "aria-pressed": "false", class: "timeline-toggle" });
  return made;
}

// checkbox makes a checkbox with a label.
export function checkbox(
  label: string, checked: boolean,
  act: (checked: boolean) => void,
  attributes: Attributes = {},
): { root: HTMLLabelElement; input: HTMLInputElement } {
  const input = element("input", { type: "checkbox", ...attributes });
  input.checked = checked;
  input.addEventListener("change", () => act(input.checked));
  return { root: element("label", { class: "check" }, input, element("span", {}, label)), input };
}

// Choice is a radio group, shown as a row of buttons.
export class Choice<Value extends string> {
  readonly root: HTMLElement;
  private readonly inputs = new Map<Value, HTMLInputElement>();
  private static made = 0;

  constructor(
    label: string, options: readonly (readonly [Value, string])[], chosen: Value,
    act: (value: Value) => void,
  ) {
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

// replace replaces the children of an element.
export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false)
      parent.append(typeof child === "number" ? String(child) : child);
  }
}

function assign(made: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
}
