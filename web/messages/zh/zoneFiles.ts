import { pluralOf } from '../formats.ts'
import type { zoneFiles as en } from '../en/zoneFiles.ts'

const plural = pluralOf('zh-CN')

export const zoneFiles: typeof en = {
  paste: {
    title: '批量添加记录',
    label: '区域文件行、CSV 或“名称 类型 值”',
    read: '解析',
    stage: (count) => plural(count, { other: '将 # 条记录加入变更' }),
    line: (number) => `第 ${number} 行：`,
    reasons: {
      'no-type': '此行没有记录类型。',
      'no-value': '此行没有值。',
      outside: '此名称不在本域名内。',
    },
    wrong: (count) => plural(count, { other: '# 行无法识别' }),
  },
  text: {
    label: '区域文件',
    help: '修改文件后检查变更。停用的记录和未纳管的类型显示为注释。',
    review: '检查',
    skipped: '未纳管，保持不变：',
  },
  unmanagedList: {
    about: 'Zonekeeper 未纳管的记录类型，以上次同步为准。Zonekeeper 从不修改它们。',
    none: '此区域的所有记录均已纳管。',
    raw: '文本',
  },
  neverRead: {
    text: '尚未导入此区域，服务商处已有的记录不会显示。',
    read: '立即导入',
  },
  importing: {
    file: '选择文件',
    label: '区域文件',
    mode: '现有记录',
    merge: '保留现有记录，添加仅在文件中的记录',
    replace: '替换整个区域，删除文件中没有的记录',
  },
}
