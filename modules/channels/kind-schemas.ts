import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { named, unionBy } from '../../schemas/named.ts'
import { Nullable } from '../../schemas/scalars.ts'
import { CHANNELS, senderOf } from './senders/registry.ts'
import type { ChannelKind } from './senders/contract.ts'

/* The API description of channels, each kind with its own configuration. */

/** `ChatA` for `chat_a`. */
const nameOf = (kind: ChannelKind) =>
  kind.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())

const configOf = (kind: ChannelKind) => senderOf(kind).schema

const nameOfConfig = (kind: ChannelKind) => String(configOf(kind)['x-name'])

/** The schema of a masked property: the same type without its rules. */
const withoutRules = ({ minLength: _length, pattern: _pattern, writeOnly: _secret, ...schema }: TSchema) =>
  schema as TSchema

function maskedConfig(kind: ChannelKind): TObject {
  const { properties, required = [] } = configOf(kind)
  const example = Object.fromEntries(
    Object.entries(properties).map(([name, { examples, items }]) => {
      const [value] = (examples ?? [(items as TSchema).examples]) as unknown[]
      return [name, value]
    }),
  )
  const masked = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, withoutRules(schema)]),
  )
  return {
    ...Type.Object(masked, {
      ...named(`Masked${nameOfConfig(kind)}`),
      description: 'Secrets, and the secret parts of URLs, are masked',
      examples: [senderOf(kind).mask(example)],
    }),
    required,
  }
}

/** A configuration change: all fields optional, null removes. */
const changedConfig = (kind: ChannelKind) => {
  const { properties } = configOf(kind)
  return Type.Partial(
    Type.Object(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Nullable(schema)])),
    ),
    named(`${nameOfConfig(kind)}Change`),
  )
}

/** The union of all kinds: common members and the kind's own configuration. */
const ofEachKind = (
  members: TProperties,
  { name, config }: { name: (kind: string) => string; config: (kind: ChannelKind) => TSchema },
) =>
  unionBy(
    'channel',
    CHANNELS.map((kind) =>
      Type.Object(
        { ...members, channel: Type.Literal(kind), config: config(kind) },
        named(name(nameOf(kind))),
      ),
    ),
  )

export const newChannelOfKind = (members: TProperties) =>
  ofEachKind(members, { name: (kind) => `New${kind}Channel`, config: configOf })

export const channelOfKind = (members: TProperties) =>
  ofEachKind(members, { name: (kind) => `${kind}Channel`, config: maskedConfig })

/** A change doesn't have to name the kind of its channel. */
export const configChanges = (description: string) =>
  Type.Unsafe<object>({
    description,
    anyOf: [...new Map(CHANNELS.map((kind) => [nameOfConfig(kind), changedConfig(kind)])).values()],
  })
