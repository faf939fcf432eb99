import type { ReasonWords } from '../../reasons.ts'

/** Errors in lines of a zone file; the line is shown separately. */
export const lineReasons: ReasonWords = {
  // Zone files.
  line_argument: '{directive} 后须有且只有一个参数。',
  line_class: '不支持 {class} 类，只支持 IN。',
  line_data: '无法识别此 {recordType} 记录的内容：{given}',
  line_directive: '“{given}”不是可用的指令。',
  line_errors: '错误超过 {maximum} 处，其余内容未读取。',
  line_generate: '不支持 $GENERATE，请逐条写出记录。',
  line_include: '不支持 $INCLUDE，请把其中的记录直接写在此文件中。',
  line_name: '“{given}”不是有效的名称。',
  line_no_name: '此行以空格开头，但前面没有可沿用的名称。',
  line_long: '一行超过 {maximum} 个字符。',
  line_no_type: '记录缺少类型。',
  line_parenthesis_closing: '右括号“)”之前没有左括号“(”。',
  line_parenthesis_open: '左括号“(”没有闭合。',
  line_quote: '引号没有在同一行内闭合。',
  line_records: '记录超过 {maximum} 条，其余内容未读取。',
  line_skipped: '其他类型的记录超过 {maximum} 条，其余内容未读取。',
  line_ttl: '“{given}”不是有效的 TTL。',
  line_ttl_large: 'TTL {given} 过大。',
  line_type: '“{given}”不是记录类型。',
  line_words: '一条记录超过 {maximum} 个词。',
  // Skipped lines.
  soa_of_provider: 'SOA 由服务商自己生成。',
  type_not_managed: '{recordType} 类型未纳管。',
}
