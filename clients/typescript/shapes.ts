import type { Schemas } from './schema.ts'

/* Short names for the shapes that programs use most; `Schemas` has all of them. */
export type AcceptedOperation = Schemas['AcceptedOperation']
export type Assignment = Schemas['Assignment']
export type Change = Schemas['Change']
export type DnsRecord = Schemas['DnsRecord']
export type Domain = Schemas['Domain']
export type DomainListItem = Schemas['DomainListItem']
export type DomainsPlan = Schemas['DomainsPlan']
export type DomainTransfer = Schemas['DomainTransfer']
export type Operation = Schemas['Operation']
export type Origin = Schemas['Origin']
export type Plan = Schemas['Plan']
export type PlannedDomain = Schemas['PlannedDomain']
export type RecordChanges = Schemas['RecordChanges']
export type RecordContent = Schemas['RecordContent']
export type RecordType = Schemas['RecordType']
export type Template = Schemas['Template']
