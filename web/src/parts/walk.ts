import type { Attachment } from 'svelte/attachments';

/** Where a key leads from here, among all there are; undefined where it leads nowhere. */
export type Way = (key: string, here: HTMLElement, all: HTMLElement[]) => HTMLElement | undefined;

/**
 * Arrows, Home and End go from one element of a group to the next, so that the group is one stop for the Tab key. The
 * elements are what `which` finds; which of them is that stop they say themselves, when they get the focus.
 */
export function walk(way: Way, which = 'button'): Attachment<HTMLElement> {
  return (group) => {
    const go = (e: KeyboardEvent) => {
      const here = (e.target as HTMLElement).closest<HTMLElement>(which);
      const to = here && way(e.key, here, [...group.querySelectorAll<HTMLElement>(which)]);
      if (!to) return;
      e.preventDefault();
      e.stopPropagation();
      to.focus({ focusVisible: true });
    };
    group.addEventListener('keydown', go);
    return () => group.removeEventListener('keydown', go);
  };
}

/** Along a line that goes from left to right, or from top to bottom. */
export function along(axis: 'across' | 'down'): Way {
  const [back, on] = axis === 'across' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  return (key, here, all) => {
    const i = all.indexOf(here);
    if (key === 'Home') return all[0];
    if (key === 'End') return all.at(-1);
    if (key === back) return all[i - 1];
    return key === on ? all[i + 1] : undefined;
  };
}
