/** Hands out a text that is in the page as a file. */
export function handOut(text: string, name: string) {
  const file = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: file, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(file), 10_000);
}
