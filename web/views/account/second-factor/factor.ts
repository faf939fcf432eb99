/** Props of a second factor's card; `onChanged` gets new recovery codes. */
export interface FactorProps {
  isOn: boolean
  onChanged: (recoveryCodes?: readonly string[]) => void
}
