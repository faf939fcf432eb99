import type { Schemas } from '../../api/schema.d.ts'
import { Checkbox } from '../../ui/fields/Choice.tsx'
import { CheckboxGroup } from '../../ui/fields/CheckboxGroup.tsx'
import { useLanguage, useMessages } from '../../ui/language.tsx'

type Pattern = Schemas['EventPattern']

interface EventProps {
  events: readonly { event: Schemas['EventName']; description: string }[]
  chosen: readonly Pattern[]
  onChange: (chosen: Pattern[]) => void
}

const areaOf = (event: string) => event.split('.')[0] ?? ''

/** Events of a channel: all, whole areas, or single ones. */
export function EventFields({ events, chosen, onChange }: EventProps) {
  const m = useMessages('channels')
  const language = useLanguage()
  const words = m.channels
  const areas = [...new Set(events.map(({ event }) => areaOf(event)))]
  const isAll = chosen.includes('*')
  const sentenceOf = (event: string, description: string) =>
    language === 'en' ? description : (words.sentences[event] ?? description)
  return (
    <div className="stack">
      <Checkbox isSelected={isAll} onChange={(on) => onChange(on ? ['*'] : [])}>
        {words.form.all}
      </Checkbox>
      {!isAll &&
        areas.map((area) => {
          const whole = `${area}.*` as Pattern
          const hasWhole = chosen.includes(whole)
          const others = chosen.filter((one) => areaOf(one) !== area)
          const title = words.form.areas[area] ?? area
          return (
            <CheckboxGroup<string>
              key={area}
              label={title}
              value={chosen.filter((one) => areaOf(one) === area)}
              onChange={(own) =>
                onChange([...others, ...(own.includes(whole) ? [whole] : (own as Pattern[]))])
              }
              options={[
                { id: whole, text: words.form.allOf(title) },
                ...(hasWhole
                  ? []
                  : events
                      .filter(({ event }) => areaOf(event) === area)
                      .map(({ event, description }) => ({
                        id: event,
                        text: sentenceOf(event, description),
                      }))),
              ]}
            />
          )
        })}
    </div>
  )
}
