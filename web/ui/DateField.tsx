import {
  parseAbsoluteToLocal,
  toCalendarDate,
  toZoned,
  getLocalTimeZone,
  now,
  type CalendarDate,
  type DateValue,
  type ZonedDateTime,
} from '@internationalized/date'
import { Button as AriaButton } from 'react-aria-components/Button'
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
} from 'react-aria-components/Calendar'
import { DateInput, DateSegment } from 'react-aria-components/DateField'
import { DatePicker } from 'react-aria-components/DatePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { Group } from 'react-aria-components/Group'
import { Heading } from 'react-aria-components/Heading'
import { Popover } from 'react-aria-components/Popover'
import { cx } from './classes.ts'
import { Button } from './Button.tsx'
import { FieldHelp, FieldLabel, type FieldFrame } from './Field.tsx'
import { Icon } from './Icon.tsx'
import { useMessages } from './language.tsx'
import styles from './DateField.module.css'
import field from './Field.module.css'

interface DateFieldProps extends FieldFrame {
  /** A moment in UTC, as the API has it; null: none. */
  value: string | null
  onChange: (value: string | null) => void
  /** With the time of day, too. */
  withTime?: boolean
  /** It narrows a list: empty without being marked as optional. */
  isFilter?: boolean
  name?: string
  isDisabled?: boolean
}

/**
 * A day, or a moment, by calendar or typing, shown in the browser's zone. Of a day alone the time of day stays as it
 * was; a new one begins at midnight here.
 */
export function DateField({
  label,
  help,
  optional,
  value,
  onChange,
  withTime = false,
  isFilter = false,
  ...rest
}: DateFieldProps) {
  const m = useMessages()
  const moment = value === null ? null : parseAbsoluteToLocal(value)
  const shown: CalendarDate | ZonedDateTime | null = moment && !withTime ? toCalendarDate(moment) : moment
  const change = (given: DateValue | null) => onChange(given === null ? null : isoOf(given, moment))
  return (
    <DatePicker
      {...rest}
      value={shown}
      onChange={change}
      granularity={withTime ? 'minute' : 'day'}
      {...(withTime && { placeholderValue: now(getLocalTimeZone()) })}
      isRequired={optional !== true && !isFilter}
      validationBehavior="aria"
      shouldForceLeadingZeros
      hideTimeZone={isFilter}
      className={cx(field['field'])}
    >
      <FieldLabel label={label} {...(optional && { optional })} />
      <Group className={cx(field['input'], styles['group'])}>
        <DateInput className={cx(styles['input'])}>
          {(segment) => <DateSegment segment={segment} className={cx(styles['segment'])} />}
        </DateInput>
        {(optional === true || isFilter) && value !== null && (
          <Button slot={null} look="plain" icon="close" iconOnly onPress={() => onChange(null)}>
            {m.common.clear}
          </Button>
        )}
        <AriaButton className={cx(styles['open'])}>
          <Icon name="calendar" />
        </AriaButton>
      </Group>
      <FieldHelp help={help} />
      <Popover className={cx(field['popover'], styles['popover'])}>
        <Dialog className={cx(styles['dialog'])}>
          <Month />
        </Dialog>
      </Popover>
    </DatePicker>
  )
}

function isoOf(given: DateValue, before: ZonedDateTime | null): string {
  const zone = getLocalTimeZone()
  const zoned =
    'timeZone' in given
      ? given
      : toZoned(given, zone).set(
          before ? { hour: before.hour, minute: before.minute, second: before.second } : {},
        )
  return zoned.toAbsoluteString()
}

const Month = () => (
  <Calendar className={cx(styles['calendar'])}>
    <div className={styles['head']}>
      <AriaButton slot="previous" className={cx(styles['open'])}>
        <Icon name="left" />
      </AriaButton>
      <Heading className={cx(styles['month'])} />
      <AriaButton slot="next" className={cx(styles['open'])}>
        <Icon name="right" />
      </AriaButton>
    </div>
    <CalendarGrid>
      <CalendarGridHeader>
        {(day) => <CalendarHeaderCell className={cx(styles['weekday'])}>{day}</CalendarHeaderCell>}
      </CalendarGridHeader>
      <CalendarGridBody>
        {(date) => <CalendarCell date={date} className={cx(styles['cell'])} />}
      </CalendarGridBody>
    </CalendarGrid>
  </Calendar>
)
