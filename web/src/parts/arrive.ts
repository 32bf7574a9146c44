// Another page has taken the place of the one before it. Whoever was at something that is gone is at its heading now, and hears
// it; whoever has just opened the house begins at its top.

let opened = false;

export function arrive(heading: HTMLElement) {
  heading.tabIndex = -1;
  const { activeElement } = document;
  if (opened && (!activeElement || activeElement === document.body)) heading.focus({ preventScroll: true });
  opened = true;
}
