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
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

const plural = (forms: Plural, language: string, n: number) =>
  forms[pluralRule(language).select(n)] ?? forms.other ?? '';
