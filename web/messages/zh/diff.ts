import { pluralOf } from '../formats.ts'
import type { diff as en } from '../en/diff.ts'

const plural = pluralOf('zh-CN')

export const diff: typeof en = {
  added: '新增：',
  removed: '移除：',
  unchanged: '不变：',
  moreUnchanged: (count) => plural(count, { other: '另有 # 条不变' }),
  copy: '复制为文本',
}
