import type { manyDomains as en } from '../en/manyDomains.ts'

export const manyDomains: typeof en = {
  totals: (records, domains) => `${domains}，共 ${records}。`,
  changes: (count) => `${count} 项变更`,
  domains: (count) => `${count} 个域名`,
  counts: (creates, updates, deletes) =>
    [
      ...(creates > 0 ? [`新增 ${creates}`] : []),
      ...(updates > 0 ? [`修改 ${updates}`] : []),
      ...(deletes > 0 ? [`删除 ${deletes}`] : []),
    ].join(' · '),
  blocked: (count) => `${count} 条记录无法修改：`,
  blockedWhole: '此域名没有变更：',
  nothing: '没有变更。',
  nothingPossible: '没有可应用的变更：每条记录均被阻止，原因见下。',
  hidden: (count) => `已跳过 ${count} 个您无权访问的域名。`,
  moreDomains: '显示更多域名',
  moreChanges: (count) => `另有 ${count} 项`,
  apply: (count) => `应用 ${count} 项变更`,
  askReview: '申请审核',
  appliedNow: '已跳过审核并执行',
  again: '重新计划',
  undoHint: '每个域名是一次单独的变更，可在该域名的历史中单独回滚，也可在所有域名中一并回滚。',
  history: '历史',
  outcomes: {
    applied: '已应用',
    partly: '部分应用',
    failed: '失败',
    pending: '待确认',
    outdated: '已过期，未变更',
    refused: '被拒绝，未变更',
    blocked: '被阻止，未变更',
    unchanged: '没有变更',
  },
}
