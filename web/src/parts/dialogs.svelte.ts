/** Which of the page's own dialogs is open. */
export const dialogs = $state<{ open: '' | 'help' | 'settings' }>({ open: '' });
