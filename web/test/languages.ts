import { fetchLanguage } from '../src/messages/language.svelte';

// Whoever turns to another language in a test is there at once.
await Promise.all((['en', 'fr', 'ru'] as const).map(fetchLanguage));
