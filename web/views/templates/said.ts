import type { Schemas } from '../../api/schema.d.ts'
import { useMessages } from '../../ui/language.tsx'

/** A template as displayed; built-in ones are translated. */
export function useSaidTemplate(): (template: Schemas['Template']) => Schemas['Template'] {
  const { builtInTexts } = useMessages('templates').templates
  const say = (text: string) => builtInTexts[text] ?? text
  return (template) =>
    template.builtIn
      ? {
          ...template,
          name: say(template.name),
          description: say(template.description),
          variables: template.variables.map(({ description, ...one }) => ({
            ...one,
            label: say(one.label),
            ...(description !== undefined && { description: say(description) }),
          })),
        }
      : template
}
