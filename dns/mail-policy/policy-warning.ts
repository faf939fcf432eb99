import type { PolicyRule } from '../text/codes.ts'

/** What is worth a warning in a policy about mail: by its code for programs, and in a short sentence for people. */
export interface PolicyWarning {
  code: 'spf' | 'dmarc' | 'dkim'
  message: string
  /** `rule`: which of the policy's rules; and what the words name. */
  params: { rule: PolicyRule } & Record<string, string | number>
}

/** Makes the warnings of one kind of policy, whose name their sentences begin with. */
export const warningsOf =
  <C extends PolicyWarning['code']>(code: C) =>
  (
    rule: Extract<PolicyRule, `${C}_${string}`>,
    sentence: string,
    params: Record<string, string | number> = {},
  ): PolicyWarning => ({ code, message: `${code.toUpperCase()}: ${sentence}`, params: { ...params, rule } })
