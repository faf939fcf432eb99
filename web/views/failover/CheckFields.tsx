import { useQuery } from '@tanstack/react-query'
import { recordTypesQuery } from '../../api/queries/zones/domains.ts'
import { Checkbox, RadioGroup, Select } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Fields } from '../../ui/fields/Form.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { TagsField } from '../../ui/fields/TagsField.tsx'
import { useMessages } from '../../ui/language.tsx'
import type { DraftCheck } from './monitor-draft.ts'
import styles from './MonitorDialog.module.css'

const HIGHEST_PORT = 65_535

interface CheckProps {
  check: DraftCheck
  onChange: (check: DraftCheck) => void
}

/** How each target of an alternative is checked. */
export function CheckFields({ check, onChange }: CheckProps) {
  const words = useMessages('failoverForm').failoverForm
  const { kind } = check
  const set = (part: Partial<DraftCheck>) => onChange({ ...check, ...part })
  return (
    <section className={styles['part']} aria-labelledby="failover-check">
      <h3 id="failover-check">{words.check}</h3>
      <RadioGroup
        label={words.kind}
        name="check.kind"
        value={kind}
        onChange={(chosen) => set({ kind: chosen })}
        options={[
          { id: 'http', text: words.kinds.http },
          { id: 'tcp', text: words.kinds.tcp },
          { id: 'dns', text: words.kinds.dns },
        ]}
      />
      {kind === 'http' && (
        <Checkbox isSelected={check.tls} onChange={(tls) => set({ tls })}>
          {words.tls}
        </Checkbox>
      )}
      <Fields>
        <NumberField
          label={words.port}
          name="check.port"
          optional={kind !== 'tcp'}
          {...(kind !== 'tcp' && { help: words.portHelp(kind === 'dns' ? 53 : check.tls ? 443 : 80) })}
          minValue={1}
          maxValue={HIGHEST_PORT}
          value={check.port}
          onChange={(port) => set({ port })}
        />
        <NumberField
          label={words.timeout}
          name="check.timeoutSeconds"
          help={words.timeoutHelp}
          minValue={1}
          maxValue={30}
          value={check.timeoutSeconds}
          onChange={(timeoutSeconds) => set({ timeoutSeconds })}
        />
        {kind === 'http' && <HttpFields check={check} set={set} />}
        {kind === 'dns' && <DnsFields check={check} set={set} />}
      </Fields>
    </section>
  )
}

interface PartProps {
  check: DraftCheck
  set: (part: Partial<DraftCheck>) => void
}

function HttpFields({ check, set }: PartProps) {
  const words = useMessages('failoverForm').failoverForm
  return (
    <>
      <TextField
        optional
        label={words.path}
        name="check.path"
        value={check.path}
        onChange={(path) => set({ path })}
        autoComplete="off"
        mono
      />
      <TextField
        optional
        label={words.host}
        name="check.host"
        help={words.hostHelp}
        value={check.host}
        onChange={(host) => set({ host })}
        autoComplete="off"
        mono
      />
      <TagsField
        label={words.status}
        help={words.statusHelp}
        name="check.status"
        read={(text) => (/^[1-5]\d\d$/.test(text) ? text : null)}
        values={check.status}
        onChange={(status) => set({ status })}
      />
      <TextField
        optional
        label={words.contains}
        name="check.contains"
        help={words.containsHelp}
        maxLength={200}
        value={check.contains}
        onChange={(contains) => set({ contains })}
        autoComplete="off"
      />
      {check.tls && (
        <>
          <NumberField
            optional
            label={words.certificateDays}
            name="check.certificateDays"
            help={words.certificateDaysHelp}
            minValue={1}
            maxValue={90}
            value={check.certificateDays}
            onChange={(certificateDays) => set({ certificateDays })}
          />
          <Checkbox
            isSelected={check.verifyCertificate}
            onChange={(verifyCertificate) => set({ verifyCertificate })}
          >
            {words.verifyCertificate}
          </Checkbox>
        </>
      )}
    </>
  )
}

function DnsFields({ check, set }: PartProps) {
  const words = useMessages('failoverForm').failoverForm
  const { data: types = [] } = useQuery(recordTypesQuery)
  return (
    <>
      <TextField
        optional
        label={words.query}
        name="check.query"
        help={words.queryHelp}
        value={check.query}
        onChange={(query) => set({ query })}
        autoComplete="off"
        mono
      />
      <Select
        label={words.queryType}
        name="check.queryType"
        value={check.queryType}
        onChange={(queryType) => set({ queryType })}
        options={types.map(({ type }) => ({ id: type, text: type }))}
      />
      <TextField
        optional
        label={words.answer}
        name="check.contains"
        maxLength={200}
        value={check.contains}
        onChange={(contains) => set({ contains })}
        autoComplete="off"
        mono
      />
    </>
  )
}
