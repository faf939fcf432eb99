import type { Schemas } from '../../../api/schema.d.ts'

type TypeInfo = Schemas['RecordTypeInfo']

/** Translates texts of a record type; untranslated ones stay in English. */
export function inWords(info: TypeInfo, words: Readonly<Record<string, string>>): TypeInfo {
  const say = (text: string) => words[text] ?? text
  return {
    ...info,
    title: say(info.title),
    help: say(info.help),
    fields: info.fields.map((field) => ({
      ...field,
      title: say(field.title),
      ...(field.help !== undefined && { help: say(field.help) }),
      ...(field.choices && {
        choices: field.choices.map((choice) => ({ ...choice, title: say(choice.title) })),
      }),
    })),
  }
}
