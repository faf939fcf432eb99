import { parseHostName, type TargetRules } from '../../names/names.ts'
import { readName, writeName } from '../../wire/wire-name.ts'
import type { Field } from '../define.ts'
import type { FieldInfo } from '../definition.ts'
import { Unreadable } from '../words.ts'

type NameInfo = Pick<FieldInfo, 'title' | 'help'> & { example: string }

/** A name; `parse` validates user input and returns its canonical form, or throws Unreadable. */
export function nameField(info: NameInfo, parse: (given: string) => string): Field<string> {
  return {
    info: { kind: 'name', ...info },
    read(words) {
      const name = readName(words.next().raw)
      if (name === null) throw new Unreadable('is not a valid name')
      return name
    },
    take: (words) => words.next().raw,
    accept(given) {
      if (typeof given !== 'string') throw new Unreadable('must be a name')
      return parse(given)
    },
    show: (name) => name,
    write: writeName,
    toWire: (name, out) => out.name(name),
    fromWire: (input) => input.name(),
  }
}

/** The name of another host or zone. */
export const target = (rules: TargetRules, info: NameInfo): Field<string> =>
  nameField(info, (given) => {
    const name = parseHostName(given, rules)
    if (!name.ok) throw new Unreadable(`is not valid: ${name.reason}`)
    return name.name
  })
