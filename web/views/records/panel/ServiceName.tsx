import { ComboBox } from '../../../ui/fields/ComboBox.tsx'
import { Fields } from '../../../ui/fields/Form.tsx'
import { useMessages } from '../../../ui/language.tsx'

interface NameProps {
  /** Name of the record. */
  name: string
  onChange: (name: string) => void
}

const SERVICES = ['sip', 'sips', 'xmpp-client', 'xmpp-server', 'imaps', 'submission', 'ldap', 'minecraft']
const PROTOCOLS = ['tcp', 'udp', 'tls']

const options = (names: readonly string[]) => names.map((one) => ({ id: one, text: one }))

/** Service and protocol, which form the name of an SRV record (RFC 2782): `_sip._tcp`. */
export function ServiceName({ name, onChange }: NameProps) {
  const m = useMessages('recordPanel')
  const words = m.recordPanel
  const [, service = '', protocol = '', rest = ''] =
    /^_([^.]*)(?:\._([^.]*))?\.?(.*)$/.exec(name) ?? (name === '@' || name === '' ? [] : ['', '', '', name])
  const build = (one: string, other: string) =>
    onChange(
      `_${one.trim().replace(/^_/, '')}._${other.trim().replace(/^_/, '')}${rest === '' ? '' : `.${rest}`}`,
    )
  return (
    <Fields>
      <ComboBox
        label={words.service}
        mono
        value={service}
        onChange={(text) => text !== service && build(text, protocol || 'tcp')}
        options={options(SERVICES)}
      />
      <ComboBox
        label={words.protocol}
        mono
        value={protocol}
        onChange={(text) => text !== protocol && build(service, text)}
        options={options(PROTOCOLS)}
      />
    </Fields>
  )
}
