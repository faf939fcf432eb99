import { pluralOf } from '../formats.ts'
import type { sync as en } from '../en/sync.ts'

const plural = pluralOf('zh-CN')

export const sync: typeof en = {
  about: (provider) => `以“${provider}”为准：同步会使此处的记录与之一致，服务商处不会有任何变化。`,
  local: '此域名为手动管理：其记录仅存在于 Zonekeeper 中，无需同步。如需对外提供解析，请将域名切换到服务商。',
  toSettings: '前往设置',
  last: '上次成功同步',
  lastError: '上次同步失败：',
  interval: '自动同步',
  every: (time) => `每 ${time}`,
  off: '关闭',
  comparing: '正在与服务商比较',
  again: '重新比较',
  same: '已同步，无需操作。',
  counts: {
    created: (count) => plural(count, { other: '新增 #' }),
    updated: (count) => plural(count, { other: '修改 #' }),
    deleted: (count) => plural(count, { other: '删除 #' }),
    unchanged: (count) => plural(count, { other: '不变 #' }),
    skipped: (count) => plural(count, { other: '未纳管 #' }),
  },
  onlyFirst: (count) => `每类仅显示前 ${count} 条，计数包含全部。`,
  table: '差异',
  columns: { record: '记录', here: '此处', there: '服务商处', after: '同步后' },
  nothing: '无',
  after: { created: '新增', updated: '修改', deleted: '删除' },
  apply: (count) => plural(count, { other: '同步 # 项差异' }),
  done: '记录已与服务商一致',
  putBack: '写回服务商',
  putBackTitle: '将此处保存的记录写回服务商？',
  putBackAbout: '服务商处的记录将改为与此处一致。在服务商处所做的修改会丢失，但会保留在历史中。',
  putBackDone: '服务商处的记录已与此处一致',
  muchBackTitle: '确定在服务商处做这么多修改？',
  muchBack: (count, known) => plural(count, { other: `此处 ${known} 条记录，有 # 条不同。` }),
  back: {
    added: (count) => plural(count, { other: '在服务商处新增 # 条记录' }),
    changed: (count) => plural(count, { other: '在服务商处修改 # 条记录' }),
    deleted: (count) => plural(count, { other: '在服务商处删除 # 条记录' }),
  },
  muchBackWhy: '这占区域的很大一部分。如果服务商处的记录是正确的，请改用同步。被替换的内容会保留在历史中。',
  muchTitle: '确定在此删除这么多记录？',
  much: (deleted, kept) =>
    plural(deleted, { other: `此处有 # 条记录在服务商处已不存在，将保留 ${kept} 条。` }),
  muchWhy: '这占区域的很大一部分。如果服务商处的区域有误，请先在服务商处更正。被删除的记录会保留在历史中。',
  force: (count) => plural(count, { other: '在此删除 # 条记录' }),
}
