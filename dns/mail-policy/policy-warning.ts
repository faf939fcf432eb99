import type { PolicyRule } from '../text/codes.ts'

/** A warning about an email policy: a code for programs, and a short sentence for people. */
export interface PolicyWarning {
  code: 'spf' | 'dmarc' | 'dkim'
  message: string
  /** `rule` is the violated rule of the policy; the rest are values used in the message. */
  params: { rule: PolicyRule } & Record<string, string | number>
}

/** Builds the warnings of one kind of policy; messages start with its name. */
export const warningsOf =
  <C extends PolicyWarning['code']>(code: C) =>
  (
    rule: Extract<PolicyRule, `${C}_${string}`>,
    sentence: string,
    params: Record<string, string | number> = {},
  ): PolicyWarning => ({ code, message: `${code.toUpperCase()}: ${sentence}`, params: { ...params, rule } })
