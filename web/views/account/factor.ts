/** What the card of a second factor takes; `onChanged` with the recovery codes that came of it. */
export interface FactorProps {
  isOn: boolean
  onChanged: (recoveryCodes?: readonly string[]) => void
}
