/** Whether the sun is up: it rises when a game is over. */
export const sky = $state({ dawn: false });
