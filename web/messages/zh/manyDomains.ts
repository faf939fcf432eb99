import type { manyDomains as en } from '../en/manyDomains.ts'

export const manyDomains: typeof en = {
  totals: (records, domains) => `${domains}，共 ${records}。`,
  changes: (count) => `${count} 项修改`,
  domains: (count) => `${count} 个域名`,
  counts: (creates, updates, deletes) =>
    [
      ...(creates > 0 ? [`新增 ${creates}`] : []),
      ...(updates > 0 ? [`修改 ${updates}`] : []),
      ...(deletes > 0 ? [`删除 ${deletes}`] : []),
    ].join(' · '),
  blocked: (count) => `${count} 条记录无法修改：`,
  blockedWhole: '此域名不做任何修改：',
  nothing: '没有任何变化。',
  nothingPossible: '没有可做的修改：每条记录均无法更改，原因见下。',
  hidden: (count) => `有 ${count} 个您看不到的域名保持不变。`,
  moreDomains: '显示更多域名',
  moreChanges: (count) => `另有 ${count} 项`,
  apply: (count) => `应用 ${count} 项修改`,
  again: '重新计划',
  undoHint: '每个域名是一次单独的变更，可在该域名的历史中单独撤销，也可在所有域名中一并撤销。',
  history: '历史',
  outcomes: {
    applied: '已完成',
    partly: '部分完成',
    failed: '未完成',
    pending: '正在确认',
    outdated: '期间已变化，未做修改',
    refused: '被拒绝，未做修改',
    blocked: '被阻止，未做修改',
    unchanged: '无需修改',
  },
}
