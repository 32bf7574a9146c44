// A message is a sentence with {placeholders}; where a number decides its form, it is one sentence for each plural form
// of the language, and the number is {n}.

export type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;
export type Message = string | Plural | string[];
export type Values = Record<string, string | number>;

const rules = new Map<string, Intl.PluralRules>();

function pluralRule(language: string): Intl.PluralRules {
  let rule = rules.get(language);
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)));
  return rule;
}

export function format(message: Message, language: string, values: Values = {}): string {
  const text = typeof message === 'string' ? message : plural(message as Plural, language, Number(values['n']));
  return (language === 'fr' ? elided(text, values) : text).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name] ?? ''),
  );
}

/** In French “de” and “que” lose their e before a vowel: it is “la place d’Ana”, and of Yann, whose y is none, “la place de Yann”. */
const elided = (text: string, values: Values) =>
  text.replace(/\b([dD]|[qQ]u)e \{(\w+)\}/g, (all, word: string, name: string) =>
    /^([aeiouàâäéèêëîïôöùûüœ]|y[^aeiouy])/i.test(String(values[name] ?? '')) ? `${word}’{${name}}` : all,
  );

const plural = (forms: Plural, language: string, n: number) =>
  forms[pluralRule(language).select(n)] ?? forms.other ?? '';
