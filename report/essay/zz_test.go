package essay
import ("testing";"os";"mcsim/sim/result";"mcsim/templates";"mcsim/report/page")
func TestZZ(t *testing.T){ b,_:=os.ReadFile("/tmp/w/siteout/results.json"); d,err:=result.Decode(b); if err!=nil{t.Fatal(err)}
 ts,err:=ReadAll(templates.Files,page.Names()); if err!=nil{t.Fatal(err)}
 r:=Judge(ts,d); for _,l:=range r.Lacks{t.Log(l)}; for _,u:=range r.Unmet{t.Log(u.Page,u.Text[:min(len(u.Text),60)],u.Why)}; t.Log(r.Findings)}
