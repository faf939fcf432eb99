import { pluralOf } from '../formats.ts'
import type { review as en } from '../en/review.ts'

const plural = pluralOf('zh-CN')

export const review: typeof en = {
  title: '检查变更',
  none: '没有变更。',
  creates: '新增',
  updates: '修改',
  deletes: '删除',
  warnings: '警告',
  conflicts: '冲突',
  leaveOut: '排除此项',
  takeTheirs: '采用对方的',
  keepMine: '保留我的',
  fix: '编辑',
  outdated: '其他用户已修改此记录。“−”为当前内容，“+”为应用您的修改后的内容。',
  aligned: 'TTL 随同名同类型的另一项变更而改变。',
  apply: (count) => plural(count, { other: '应用 # 项变更' }),
  applied: (count) => plural(count, { other: '已应用 # 项变更' }),
  partly: '部分变更已应用，其余仍保留在此处。',
  unsettled: (count) =>
    plural(count, {
      other: '有 # 项变更待确认：DNS 服务商尚未确认是否已应用。系统会持续检查，在此之前保留在此处。',
    }),
  manyPlans: (count) => plural(count, { other: '将依次分 # 批执行。' }),
  planning: '正在生成变更计划',
}
