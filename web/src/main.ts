import { games } from '#games';
import { mount } from 'svelte';
import './theme.css';
import App from './App.svelte';
import { House } from './house.svelte';
import { fetchLanguage, language } from './messages/language.svelte';
import { keepShell } from './pocket/install';

// Whoever hears the page hears it in its own language from the first word.
document.documentElement.lang = language.now;
keepShell();
void fetchLanguage(language.now).then(() =>
  mount(App, { target: document.getElementById('app')!, props: { house: new House(games) } }),
);
