import type { diff as en } from '../en/diff.ts'
/** Changes of records as lines. */
export const diff: typeof en = {
  added: '新增：',
  removed: '移除：',
  copy: '复制为文本',
}
