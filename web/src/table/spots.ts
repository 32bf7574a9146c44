// Spots on the table, by the names that flights use. Every spot is an element with its names in data-spot.

export function spot(name: string): Element | null {
  return document.querySelector(`[data-spot~="${name}"]`);
}

const middle = ({ left, top, width, height }: DOMRect) => ({ x: left + width / 2, y: top + height / 2 });

/** Lets an element fly from one spot to another: a FLIP without the measuring of what stays in place. */
export function fly(piece: HTMLElement, from: string, to: string, ms: number) {
  const [start, goal] = [spot(from), spot(to)];
  if (!start || !goal) return;
  const a = middle(start.getBoundingClientRect());
  const b = middle(goal.getBoundingClientRect());
  const lift = Math.min(60, Math.hypot(b.x - a.x, b.y - a.y) / 3);
  const at = (x: number, y: number, scale: number) => ({
    transform: `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`,
  });
  piece.animate([at(a.x, a.y, 1), at((a.x + b.x) / 2, (a.y + b.y) / 2 - lift, 1.35), at(b.x, b.y, 1)], {
    duration: ms,
    easing: 'cubic-bezier(.4, 0, .3, 1)',
    fill: 'both',
  });
}
