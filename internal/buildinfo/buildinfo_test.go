package buildinfo_test

import (
	"runtime/debug"
	"testing"

	"github.com/picaproof/picaproof/internal/buildinfo"
)

func TestDescribe(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for _, v := range []struct {
		name     string
		version  string
		settings []debug.BuildSetting
		golang   string
		want     string
	}{
		{"nothing is known", "", nil, "", "(devel)"},
		{"an installed version", "v1.2.3", []debug.BuildSetting{{Key: "GOARCH", Value: "amd64"}}, "go1.26.0",
			"v1.2.3, go1.26.0"},
		{"a build without a repository", "(devel)", nil, "go1.26.0", "(devel), go1.26.0"},
		{"a clean repository", "v1.2.4-0.20260102030405-0123456789ab",
			[]debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision},
				{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "false"}}, "go1.26.0",
			"v1.2.4-0.20260102030405-0123456789ab, commit 0123456789ab, go1.26.0"},
		{"a modified repository", "(devel)",
			[]debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: "true"}}, "go1.26.0",
			"(devel), commit 0123456789ab, modified, go1.26.0"},
		{"a short revision", "(devel)", []debug.BuildSetting{{Key: "vcs.revision", Value: "42"}}, "go1.26.0",
			"(devel), commit 42, go1.26.0"},
		{"an empty revision", "(devel)", []debug.BuildSetting{{Key: "vcs.revision"}}, "go1.26.0", "(devel), go1.26.0"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: v.version}, Settings: v.settings, GoVersion: v.golang}
		if got := buildinfo.Describe(info); got != v.want {
			t.Errorf("%s: got %q, want %q", v.name, got, v.want)
		}
	}
}
