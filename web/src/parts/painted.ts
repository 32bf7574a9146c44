/** Comes back once what has just changed has been painted, or would have been: a page that is hidden paints nothing. */
export const painted = () =>
  new Promise<void>((done) => {
    setTimeout(done, 100);
    requestAnimationFrame(() => setTimeout(done));
  });
