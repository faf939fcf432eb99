import { createHash } from 'node:crypto'
import type { ChangeBody } from '../../records/service.ts'
import { CATALOGUE, type HealthCode, type Severity } from '../catalogue.ts'

/** Something wrong with a domain. */
export interface Finding {
  code: HealthCode
  severity: Severity
  /** Relative to the domain; `@` for what concerns all of it. */
  name: string
  /** Null if it is not about records. */
  type: string | null
  /** Tells findings of one code, name and type apart: a value, a target or a server. */
  subject: string
  /** One sentence with the values of this case. */
  detail: string
  /** The values of `detail`. */
  params: Record<string, unknown>
  /** Changes that remove it; null if none follow. */
  fix: ChangeBody[] | null
}

/** What a check could not find out. Stored findings of these codes (with that subject) neither go nor are new. */
export interface Unknown {
  codes: HealthCode[]
  /** Null: nothing of these codes is known. */
  subject: string | null
  reason: string
  /** One sentence. */
  detail: string
}

/** What some checks found. */
export interface Found {
  findings: Finding[]
  unknown: Unknown[]
}

type Given = Pick<Finding, 'code' | 'name' | 'type' | 'detail'> & Partial<Finding>

/** A finding with the severity of its code, without what is not given. */
export const finding = (given: Given): Finding => ({
  severity: CATALOGUE[given.code].severity,
  subject: '',
  params: {},
  fix: null,
  ...given,
})

/** Identifies what a finding is about, from check to check. */
export const keyOf = ({ code, name, type, subject }: Pick<Finding, 'code' | 'name' | 'type' | 'subject'>) =>
  createHash('sha256')
    .update(JSON.stringify([code, name, type, subject]))
    .digest('base64url')
    .slice(0, 22)
