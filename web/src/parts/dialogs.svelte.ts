/** Which of the page's own dialogs is open, and how many tables are in sight, which have a help of their own. */
export const dialogs = $state<{ open: '' | 'help' | 'settings'; tables: number }>({ open: '', tables: 0 });
