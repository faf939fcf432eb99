import { pluralOf } from '../formats.ts'
import type { sync as en } from '../en/sync.ts'

const plural = pluralOf('zh-CN')

export const sync: typeof en = {
  about: (provider) => `以“${provider}”的内容为准：同步会使此处的记录与之一致，服务商处不会有任何变化。`,
  local: '此域名为手动保存：其记录仅在 Zonekeeper 中，没有可同步的对象。如需提供解析，请将域名切换到服务商。',
  toSettings: '前往设置',
  last: '上次成功同步',
  lastError: '上次同步失败：',
  interval: '自动同步',
  every: (time) => `每 ${time}`,
  off: '关闭',
  comparing: '正在与服务商比较',
  again: '重新比较',
  same: '此处与服务商的内容一致，无需操作。',
  counts: {
    created: (count) => plural(count, { other: '新增 #' }),
    updated: (count) => plural(count, { other: '修改 #' }),
    deleted: (count) => plural(count, { other: '删除 #' }),
    unchanged: (count) => plural(count, { other: '不变 #' }),
    skipped: (count) => plural(count, { other: '不在此管理 #' }),
  },
  onlyFirst: (count) => `每类仅列出前 ${count} 条，数量为全部。`,
  table: '差异',
  columns: { record: '记录', here: '此处', there: '服务商处', after: '同步后' },
  nothing: '不存在',
  after: { created: '新增', updated: '修改', deleted: '删除' },
  apply: (count) => plural(count, { other: '采用 # 项差异' }),
  done: '此处已与服务商一致',
  muchTitle: '确定在此删除这么多记录？',
  much: (deleted, kept) =>
    plural(deleted, { other: `此处有 # 条记录在服务商处已不存在，将保留 ${kept} 条。` }),
  muchWhy:
    '这占区域的很大一部分。如果服务商处的区域有误，请先在服务商处更正。被删除的内容会保留在此处的历史中。',
  force: (count) => plural(count, { other: '在此删除 # 条记录' }),
}
