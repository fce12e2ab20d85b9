{{/* The egress rules of a component, from the table in files/flows.yaml. Argument: dict "root" "component" "flows". */}}
{{- define "doublethink.egress" -}}
{{- $root := .root -}}
{{- $v := .root.Values -}}
{{- $np := .root.Values.networkPolicy -}}
{{- $me := .component -}}
{{- range index .flows.rpc $me }}
- to:
    - podSelector:
        matchLabels:
          {{- include "doublethink.selector" (dict "root" $root "component" .) | nindent 10 }}
  ports:
    - {protocol: TCP, port: 7443}
{{- end }}
{{- if has $me .flows.database }}
- to:
    {{- if include "doublethink.hasPostgres" $root }}
    - podSelector:
        matchLabels:
          {{- include "doublethink.selector" (dict "root" $root "component" "postgres") | nindent 10 }}
  ports:
    - {protocol: TCP, port: 5432}
    {{- else }}
    {{- toYaml $v.database.peers | nindent 4 }}
  ports:
    - {protocol: TCP, port: {{ $v.database.port }}}
    {{- end }}
{{- end }}
{{- if and (has $me .flows.model) (include "doublethink.hasModel" $root) }}
- to:
    {{- if include "doublethink.hasOllama" $root }}
    - podSelector:
        matchLabels:
          {{- include "doublethink.selector" (dict "root" $root "component" "model") | nindent 10 }}
  ports:
    - {protocol: TCP, port: 11434}
    {{- else }}
    {{- $host := regexReplaceAll "^https?://(.*):[0-9]+/?$" $v.planner.model.address "${1}" | trimPrefix "[" | trimSuffix "]" }}
    - ipBlock: {cidr: {{ printf "%s/%s" $host (contains ":" $host | ternary "128" "32") | quote }}}
  ports:
    - {protocol: TCP, port: {{ regexFind "[0-9]+/?$" $v.planner.model.address | trimSuffix "/" }}}
    {{- end }}
{{- end }}
{{- if has $me .flows.dns }}
- to:
    - namespaceSelector:
        matchLabels:
          {{- toYaml $np.dns.namespaceLabels | nindent 10 }}
      podSelector:
        matchLabels:
          {{- toYaml $np.dns.podLabels | nindent 10 }}
    {{- range $np.dns.cidrs }}
    - ipBlock: {cidr: {{ . | quote }}}
    {{- end }}
  ports:
    - {protocol: UDP, port: 53}
    - {protocol: TCP, port: 53}
{{- end }}
{{- if and (has $me .flows.internet) $np.internet.enabled }}
{{- $cluster4 := list }}
{{- $cluster6 := list }}
{{- range $np.internet.clusterCidrs }}
{{- if contains ":" . }}{{- $cluster6 = append $cluster6 . }}{{ else }}{{- $cluster4 = append $cluster4 . }}{{ end }}
{{- end }}
- to:
    - ipBlock:
        cidr: {{ $np.internet.ipv4 | quote }}
        {{- with concat $np.internet.exceptIpv4 $cluster4 }}
        except:
          {{- toYaml . | nindent 10 }}
        {{- end }}
    - ipBlock:
        cidr: {{ $np.internet.ipv6 | quote }}
        {{- with concat $np.internet.exceptIpv6 $cluster6 }}
        except:
          {{- toYaml . | nindent 10 }}
        {{- end }}
  ports:
    {{- range $np.internet.ports }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
{{- end }}
{{- if and (eq $me "sealer") $v.sealer.objectStore.existingSecret }}
- to:
    - ipBlock: {cidr: {{ $v.sealer.objectStore.cidr | quote }}}
  ports:
    - {protocol: TCP, port: {{ $v.sealer.objectStore.port }}}
{{- end }}
{{- if has $me .flows.api }}
- to:
    {{- range include "doublethink.apiServer" $root | fromYamlArray }}
    - ipBlock: {cidr: {{ . | quote }}}
    {{- end }}
  ports:
    {{- range $np.apiServer.ports }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
{{- end }}
{{- end -}}

{{/* Where the API server is: as named, or as the cluster says. A YAML list. */}}
{{- define "doublethink.apiServer" -}}
{{- $named := .Values.networkPolicy.apiServer.cidrs -}}
{{- if not $named -}}
{{- range (lookup "v1" "Endpoints" "default" "kubernetes" | default dict).subsets -}}
{{- range .addresses -}}
{{- $named = append $named (printf "%s/%s" .ip (contains ":" .ip | ternary "128" "32")) -}}
{{- end -}}
{{- end -}}
{{- with (lookup "v1" "Service" "default" "kubernetes" | default dict).spec -}}
{{- $named = append $named (printf "%s/%s" .clusterIP (contains ":" .clusterIP | ternary "128" "32")) -}}
{{- end -}}
{{- end -}}
{{- if not $named -}}
{{- fail "networkPolicy.apiServer.cidrs is missing: no cluster was at hand to ask where its API server is, and the bootstrap job reaches nothing else" -}}
{{- end -}}
{{- toYaml $named -}}
{{- end -}}
