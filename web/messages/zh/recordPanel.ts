import { pluralOf } from '../formats.ts'
import type { recordPanel as en } from '../en/recordPanel.ts'

const plural = pluralOf('zh-CN')

export const recordPanel: typeof en = {
  newTitle: '新记录',
  editTitle: '编辑记录',
  nameHelp: '@ 表示域名本身，* 表示任意名称。',
  ttlHelp: '例如 300、5m、1h。留空则使用域名的默认值。',
  comment: '备注',
  commentHelp: '仅供人员查看，不会发布。',
  published: '发布',
  proxied: '通过服务商代理',
  stage: '加入变更',
  asValue: '按文本编辑',
  asFields: '按字段编辑',
  rfc: (rfc) => `参见 ${rfc.replace(/ section ([\d.]+)/, ' 第 $1 节')}`,
  example: '示例',
  takeExample: '使用此示例',
  length: (text) => `${text} / 2,048 个字符`,
  severalHelp: '可填写多个值，每行一个。按 Ctrl+Enter 添加。',
  strings: (count) => plural(count, { other: '分为 # 个字符串，每个最多 255 字节，读取时合并。' }),
  service: '服务',
  protocol: '协议',
  quotesRemoved: '此处不需要引号，已自动去除。',
  valueOf: (nth) => `第 ${nth} 个值`,
  addValue: '再添加一个值',
  addValueHelp: '按 Shift+Enter 添加下一个值，按 Backspace 移除空值。',
  removeValue: (nth) => `移除第 ${nth} 个值`,
}
